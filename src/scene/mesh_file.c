/* Meshes in files: STL (binary and text), OBJ, and MuJoCo's own binary MSH. Coordinates are single precision, as
 * there. */
#include "scene/reader.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FACES_MAX = 5000000 };

typedef struct bytes {
    const unsigned char *at;
    size_t size;
} bytes;

static bool wrong(abuti_reader *reader, const abuti_element *element, const char *path, const char *what)
{
    return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "file", "'%.100s': %s", path, what);
}

static uint32_t little(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double little_float(const unsigned char *at)
{
    uint32_t bits = little(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool room(abuti_reader *reader, abut_scene_mesh *mesh, size_t vertices, size_t faces)
{
    abuti_pool *pool = reader->source.pool;
    if (vertices > 3 * (size_t)FACES_MAX || faces > FACES_MAX)
        return abuti_fail(&reader->source, ABUT_TOO_LARGE, NULL, NULL, "a mesh of %zu faces; at most %d",
                          faces, FACES_MAX);
    mesh->vertices = abuti_pool_take(pool, (3 * vertices + 1) * sizeof *mesh->vertices);
    mesh->faces = abuti_pool_take(pool, (3 * faces + 1) * sizeof *mesh->faces);
    if (!mesh->vertices || !mesh->faces) return abuti_fail_memory(&reader->source);
    mesh->vertex_count = (int)vertices;
    mesh->face_count = (int)faces;
    return true;
}

/* ---- equal vertices become one ---- */

static uint64_t hash_of(const double v[3])
{
    uint64_t h = 14695981039346656037u, bits;
    for (int k = 0; k < 3; ++k) {
        double value = v[k] + 0.0; /* -0 and 0 are one */
        memcpy(&bits, &value, sizeof bits);
        h = (h ^ bits) * 1099511628211u;
        h ^= h >> 29;
    }
    return h;
}

static bool merge(abuti_reader *reader, abut_scene_mesh *mesh)
{
    size_t capacity = 16;
    while (capacity < 2 * (size_t)mesh->vertex_count) capacity *= 2;
    int *slots = abuti_pool_take(&reader->scratch, capacity * sizeof *slots);
    int *place = abuti_pool_take(&reader->scratch, ((size_t)mesh->vertex_count + 1) * sizeof *place);
    if (!slots || !place) return abuti_fail_memory(&reader->source);
    int kept = 0;
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const double *v = mesh->vertices + 3 * (size_t)i;
        size_t at = hash_of(v) & (capacity - 1);
        for (; slots[at] != 0; at = (at + 1) & (capacity - 1)) {
            const double *w = mesh->vertices + 3 * (size_t)(slots[at] - 1);
            if (v[0] == w[0] && v[1] == w[1] && v[2] == w[2]) break;
        }
        if (slots[at] == 0) {
            memmove(mesh->vertices + 3 * (size_t)kept, v, 3 * sizeof *v);
            slots[at] = ++kept;
        }
        place[i] = slots[at] - 1;
    }
    for (int i = 0; i < 3 * mesh->face_count; ++i) mesh->faces[i] = place[mesh->faces[i]];
    mesh->vertex_count = kept;
    return true;
}

/* ---- STL ---- */

static bool binary_stl(abuti_reader *reader, bytes file, size_t faces, abut_scene_mesh *mesh)
{
    if (!room(reader, mesh, 3 * faces, faces)) return false;
    for (size_t i = 0; i < 3 * faces; ++i) {
        const unsigned char *at = file.at + 84 + 50 * (i / 3) + 12 * (i % 3 + 1);
        for (int k = 0; k < 3; ++k) mesh->vertices[3 * i + (size_t)k] = little_float(at + 4 * k);
        mesh->faces[i] = (int)i;
    }
    return merge(reader, mesh);
}

/* The next word of a text, or false at its end; a word may be anything but blanks. */
static bool next_word(const char **at, const char **word, size_t *length)
{
    *at += strspn(*at, " \t\r\n");
    *word = *at;
    *length = strcspn(*at, " \t\r\n");
    *at += *length;
    return *length > 0;
}

static bool text_number(const char **at, double *value)
{
    char *end;
    *value = (float)strtod(*at, &end);
    bool good = end != *at && (*end == '\0' || isspace((unsigned char)*end));
    *at = end;
    return good;
}

static bool text_stl(abuti_reader *reader, const abuti_element *element, const char *path, const char *text,
                     abut_scene_mesh *mesh)
{
    const char *at = text, *word;
    size_t length, vertices = 0, seen = 0;
    while (next_word(&at, &word, &length)) vertices += length == 6 && strncmp(word, "vertex", 6) == 0;
    if (vertices == 0 || vertices % 3 != 0)
        return wrong(reader, element, path, "expected STL with three vertices a facet");
    if (!room(reader, mesh, vertices, vertices / 3)) return false;
    for (at = text; next_word(&at, &word, &length);) {
        if (length != 6 || strncmp(word, "vertex", 6) != 0) continue;
        double *v = mesh->vertices + 3 * seen;
        if (seen >= vertices || !text_number(&at, v) || !text_number(&at, v + 1) || !text_number(&at, v + 2))
            return wrong(reader, element, path, "expected three numbers after 'vertex'");
        mesh->faces[seen] = (int)seen;
        seen++;
    }
    return merge(reader, mesh);
}

static bool read_stl(abuti_reader *reader, const abuti_element *element, const char *path, bytes file,
                     abut_scene_mesh *mesh)
{
    size_t faces = file.size >= 84 ? little(file.at + 80) : 0;
    if (faces > 0 && file.size >= 84 && (file.size - 84) / 50 >= faces)
        return binary_stl(reader, file, faces, mesh);
    if (file.size >= 5 && strncmp((const char *)file.at, "solid", 5) == 0)
        return text_stl(reader, element, path, (const char *)file.at, mesh);
    return wrong(reader, element, path, "neither text nor binary STL, or cut short");
}

/* ---- OBJ ---- */

/* "12/3/4": the vertex; negative ones count from the end. */
static bool obj_index(const char *word, size_t vertices, int *index)
{
    char *end;
    long value = strtol(word, &end, 10);
    if (end == word || (*end != '/' && *end != '\0' && !isspace((unsigned char)*end))) return false;
    long at = value > 0 ? value - 1 : (long)vertices + value;
    if (value == 0 || at < 0 || at >= (long)vertices) return false;
    *index = (int)at;
    return true;
}

/* A polygon as a fan of triangles; with no faces given it only counts them. */
static bool obj_face(const char *line, size_t vertices, int *faces, size_t *count)
{
    int corner = 0, first = 0, before = 0, index = 0;
    const char *word;
    size_t length;
    char held[64];
    for (const char *at = line; *at != '\0' && *at != '\n';) {
        at += strspn(at, " \t\r");
        if (*at == '\0' || *at == '\n') break;
        word = at;
        length = strcspn(at, " \t\r\n");
        at += length;
        if (length >= sizeof held) return false;
        memcpy(held, word, length);
        held[length] = '\0';
        if (!obj_index(held, vertices, &index)) return false;
        if (corner == 0) first = index;
        if (corner >= 2) {
            if (faces) {
                int *face = faces + 3 * *count;
                face[0] = first, face[1] = before, face[2] = index;
            }
            ++*count;
        }
        before = index;
        corner++;
    }
    return corner >= 3;
}

/* Goes over the lines; the first time it counts, the second time it fills. */
static bool obj_pass(const char *text, abut_scene_mesh *mesh, size_t *vertices, size_t *faces)
{
    bool fill = mesh->vertices;
    size_t total = *vertices, v = 0, f = 0;
    for (const char *line = text; *line != '\0';) {
        line += strspn(line, " \t");
        if (line[0] == 'v' && (line[1] == ' ' || line[1] == '\t')) {
            const char *at = line + 1;
            double p[3];
            for (int k = 0; k < 3; ++k)
                if (!text_number(&at, &p[k])) return false;
            if (fill) memcpy(mesh->vertices + 3 * v, p, sizeof p);
            v++;
        } else if (line[0] == 'f' && (line[1] == ' ' || line[1] == '\t')) {
            if (!obj_face(line + 1, fill ? v : SIZE_MAX / 4, fill ? mesh->faces : NULL, &f)) return false;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    (void)total;
    *vertices = v;
    *faces = f;
    return true;
}

static bool read_obj(abuti_reader *reader, const abuti_element *element, const char *path, bytes file,
                     abut_scene_mesh *mesh)
{
    const char *text = (const char *)file.at;
    size_t vertices = 0, faces = 0;
    if (!obj_pass(text, mesh, &vertices, &faces) || vertices < 3)
        return wrong(reader, element, path, "expected OBJ: lines 'v x y z' and 'f a b c'");
    if (!room(reader, mesh, vertices, faces)) return false;
    if (!obj_pass(text, mesh, &vertices, &faces))
        return wrong(reader, element, path, "a face names a vertex that is not there");
    return true;
}

/* ---- MSH ---- */

static bool read_msh(abuti_reader *reader, const abuti_element *element, const char *path, bytes file,
                     abut_scene_mesh *mesh)
{
    if (file.size < 16) return wrong(reader, element, path, "cut short");
    uint64_t v = little(file.at), n = little(file.at + 4), t = little(file.at + 8), f = little(file.at + 12);
    if (v < 4 || v > 3 * (uint64_t)FACES_MAX || n > v || t > v || f > FACES_MAX ||
        16 + 12 * v + 12 * n + 8 * t + 12 * f != file.size)
        return wrong(reader, element, path, "the size of the file is not what its header says");
    if (!room(reader, mesh, v, f)) return false;
    for (size_t i = 0; i < 3 * v; ++i) mesh->vertices[i] = little_float(file.at + 16 + 4 * i);
    const unsigned char *at = file.at + 16 + 12 * v + 12 * n + 8 * t;
    for (size_t i = 0; i < 3 * f; ++i) {
        uint32_t index = little(at + 4 * i);
        mesh->faces[i] = index < v ? (int)index : -1;
    }
    return true;
}

bool abuti_mesh_file(abuti_reader *reader, const abuti_element *element, const char *path, const char *type,
                     abut_scene_mesh *mesh)
{
    unsigned char *read;
    bytes file;
    if (!abuti_file_bytes(&reader->source, element, path, &read, &file.size)) return false;
    file.at = read;
    const char *dot = strrchr(path, '.');
    const char *extension = dot ? dot + 1 : "";
    if (strcmp(type, "model/stl") == 0) extension = "stl";
    if (strcmp(type, "model/obj") == 0) extension = "obj";
    if (strcmp(type, "model/vnd.mujoco.msh") == 0) extension = "msh";
    if (strcasecmp(extension, "stl") == 0) return read_stl(reader, element, path, file, mesh);
    if (strcasecmp(extension, "obj") == 0) return read_obj(reader, element, path, file, mesh);
    if (strcasecmp(extension, "msh") == 0) return read_msh(reader, element, path, file, mesh);
    return wrong(reader, element, path, "expected a file .stl, .obj or .msh");
}
