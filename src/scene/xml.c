/* XML by libxml2: bytes to elements. The only file that knows that library. */
#include "scene/element.h"

#include <stdio.h>
#include <string.h>

#ifdef ABUT_HAVE_XML

#include <libxml/parser.h>
#include <libxml/tree.h>

/* Errors that other readers of MJCF let pass, so that files have them: two hyphens in comments, attributes without a
 * blank between them, bytes that are not UTF-8. */
static bool harmless(int code)
{
    return code == XML_ERR_HYPHEN_IN_COMMENT || code == XML_ERR_SPACE_REQUIRED ||
           code == XML_ERR_INVALID_ENCODING || code == XML_ERR_INVALID_CHAR;
}

typedef struct first_error {
    int line, column;
    char text[120];
} first_error;

#if LIBXML_VERSION >= 21200
static void note_error(void *parser, const xmlError *error)
#else
static void note_error(void *parser, xmlErrorPtr error)
#endif
{
    first_error *first = ((xmlParserCtxtPtr)parser)->_private;
    if (error->level < XML_ERR_ERROR || harmless(error->code) || first->line > 0) return;
    first->line = error->line > 0 ? error->line : 1;
    first->column = error->int2;
    snprintf(first->text, sizeof first->text, "%s", error->message ? error->message : "malformed XML");
    first->text[strcspn(first->text, "\r\n")] = '\0';
}

static bool add_attributes(abuti_source *source, xmlDocPtr document, xmlNodePtr node, abuti_element *element)
{
    for (xmlAttrPtr attribute = node->properties; attribute; attribute = attribute->next) {
        xmlChar *value = xmlNodeListGetString(document, attribute->children, 1);
        abuti_attribute *added = abuti_list_add(source->pool, &element->attributes, sizeof *added);
        if (added) {
            added->name = abuti_pool_text(source->pool, (const char *)attribute->name);
            added->text = abuti_pool_text(source->pool, value ? (const char *)value : "");
        }
        xmlFree(value);
        if (!added || !added->name || !added->text) return abuti_fail_memory(source);
    }
    return true;
}

/* libxml2 refuses files that nest deeper than 256 elements, so this may call itself. */
static bool convert(abuti_source *source, const char *file, xmlDocPtr document, xmlNodePtr node,
                    abuti_element **converted)
{
    abuti_element *element = abuti_pool_take(source->pool, sizeof *element);
    if (!element) return abuti_fail_memory(source);
    *converted = element;
    element->file = file;
    element->line = (int)xmlGetLineNo(node);
    element->content = "";
    element->name = abuti_pool_text(source->pool, (const char *)node->name);
    if (!element->name) return abuti_fail_memory(source);
    if (!add_attributes(source, document, node, element)) return false;
    for (xmlNodePtr child = node->children; child; child = child->next) {
        if (child->type == XML_CDATA_SECTION_NODE && child->content) {
            element->content = abuti_pool_text(source->pool, (const char *)child->content);
            if (!element->content) return abuti_fail_memory(source);
        }
        if (child->type != XML_ELEMENT_NODE) continue;
        abuti_element *inner;
        if (!convert(source, file, document, child, &inner)) return false;
        if (!element->first) element->first = inner;
        if (element->last) element->last->next = inner;
        element->last = inner;
    }
    return true;
}

bool abuti_xml_parse(abuti_source *source, const char *name, const char *bytes, size_t size,
                     abuti_element **root)
{
    if (size > INT32_MAX) return abuti_fail(source, ABUT_TOO_LARGE, NULL, NULL, "%.150s: too large", name);
    first_error first = {0};
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    if (!parser) return abuti_fail_memory(source);
    parser->_private = &first;
    if (parser->sax) parser->sax->serror = note_error;
    xmlDocPtr document = xmlCtxtReadMemory(parser, bytes, (int)size, name, NULL,
                                           XML_PARSE_NONET | XML_PARSE_RECOVER | XML_PARSE_BIG_LINES);
    xmlNodePtr node = document ? xmlDocGetRootElement(document) : NULL;
    bool good = false;
    if (first.line > 0)
        abuti_fail(source, ABUT_INVALID_ARGUMENT, NULL, NULL, "%.100s:%d:%d: %s", name, first.line,
                   first.column, first.text);
    else if (!node)
        abuti_fail(source, ABUT_INVALID_ARGUMENT, NULL, NULL, "%.100s:1: no XML element; expected <mujoco>",
                   name);
    else
        good = convert(source, name, document, node, root);
    if (document) xmlFreeDoc(document);
    xmlFreeParserCtxt(parser);
    return good;
}

#else

bool abuti_xml_parse(abuti_source *source, const char *name, const char *bytes, size_t size,
                     abuti_element **root)
{
    (void)bytes;
    (void)size;
    (void)root;
    return abuti_fail(source, ABUT_UNSUPPORTED, NULL, NULL,
                      "%.100s: this build reads no scenes: libxml2 was left out (ABUT_WITH_XML)", name);
}

#endif
