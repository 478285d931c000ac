/* module_texts.c - what the page is told of the scenes */
#include "core.h"

/* A scene's texts: id, title, text; then label and unit of each slider. NULL: there is none. */
const char *EXPORT(text)(int i, int which)
{
    const scene *s = scene_at(i);
    const slider *of = s && which >= 3 ? &s->sliders[(which - 3) / 2] : NULL;
    if (!s)
        return NULL;
    if (of)
        return (which - 3) % 2 ? of->unit : of->label;
    return which == 0 ? s->id : which == 1 ? s->title : s->text;
}

/* A scene's numbers: of the camera, the pointer and the step; then five of each slider. */
double EXPORT(number)(int i, int which)
{
    const scene *s = scene_at(i);
    const slider *of = &s->sliders[which >= 10 ? (which - 10) / 6 : 0];
    const double view[10] = { s->side,  s->height, s->distance, s->follows,        s->tilts,
                              s->round, s->push,   s->pull,     s->strike ? 1 : 0, s->crowded };
    const double numbers[6] = { of->least, of->most, of->step, of->value, of->restarts, 0 };
    return which < 10 ? view[which] : numbers[(which - 10) % 6];
}
