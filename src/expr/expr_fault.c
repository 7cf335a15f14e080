/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "expr/expr_opcode.h"
#include "expr/expr_place.h"

enum {
    SHOWN_BYTES = 240, /* of the expression's text in a message */
    MESSAGE_BYTES = 1024
};

static const char *fault_text(rg_fault_code code)
{
    switch (code) {
    case RG_FAULT_NONE: return "no fault";
    case RG_FAULT_OVERFLOW: return "the result is too large (integers have 64 bits)";
    case RG_FAULT_ZERO_DIVISION: return "division by zero";
    case RG_FAULT_TEXT: return "text where a number is needed";
    case RG_FAULT_DOMAIN: return "not defined for this operand";
    }
    return "an unknown fault";
}

struct message {
    char text[MESSAGE_BYTES];
    size_t used;
};

/** Append bytes with line ends and tabs as spaces; what does not fit is left out, at the start of a character. */
static void append(struct message *message, const char *text, size_t length)
{
    const size_t room = sizeof message->text - 1 - message->used;
    if (length > room) {
        length = room;
        while (length > 0 && ((unsigned char)text[length] & 0xC0U) == 0x80U) {
            length--;
        }
    }
    for (size_t i = 0; i < length; i++) {
        char byte = text[i];
        if (byte == '\n' || byte == '\r' || byte == '\t') {
            byte = ' ';
        }
        message->text[message->used++] = byte;
    }
    message->text[message->used] = '\0';
}

static void append_text(struct message *message, const char *text)
{
    append(message, text, strlen(text));
}

/** The text of the expression, cut when it is long. */
static void append_expression(struct message *message, const char *text)
{
    size_t length = strlen(text);
    const bool cut = length > SHOWN_BYTES;
    length = cut ? SHOWN_BYTES : length;
    while (cut && length > 0 && ((unsigned char)text[length] & 0xC0U) == 0x80U) {
        length--;
    }
    append(message, text, length);
    append_text(message, cut ? "..." : "");
}

/** "(d = 0, n = 64)": the variables used, by slot. */
static void append_variables(struct message *message, const struct rg_expr *expr, const struct rg_symbol *symbols,
                             size_t symbol_count, const struct ridge_value *values)
{
    const char *before = " (";
    for (size_t i = 0; i < expr->slot_count; i++) {
        for (size_t k = 0; k < symbol_count; k++) {
            if (symbols[k].constant || symbols[k].slot != expr->slots[i]) {
                continue;
            }
            char value[64];
            ridge_value_format(&values[expr->slots[i]], value, sizeof value);
            append_text(message, before);
            append_text(message, symbols[k].name);
            append_text(message, " = ");
            append_text(message, value);
            before = ", ";
            break;
        }
    }
    append_text(message, before[0] == ',' ? ")" : "");
}

ridge_status rg_expr_fault_error(const struct rg_expr *expr, const char *what, const struct rg_symbol *symbols,
                                 size_t symbol_count, const struct ridge_value *values, const struct rg_fault *fault,
                                 struct ridge_error *error)
{
    struct message message = {.used = 0};
    append_text(&message, what);
    append_text(&message, " `");
    append_expression(&message, expr->source.text);
    append_text(&message, "`: ");
    append_text(&message, fault_text(fault->code));
    append_variables(&message, expr, symbols, symbol_count, values);
    return rg_expr_error(&expr->source, (struct rg_span){fault->offset, fault->length}, error, RIDGE_E_VALUE, "%s",
                         message.text);
}
