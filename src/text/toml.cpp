// SPDX-License-Identifier: MIT
// toml++ turned into plain C structs. The only C++ of the library: nothing else is here, and no exception leaves it.
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <algorithm>
#include <new>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

extern "C" {
#include "text/toml.h"
#include "text/toml_parse.h"
}

namespace
{

constexpr unsigned max_depth = 128;

struct out_of_memory {
};
struct not_taken {
    rg_place place;
    const char *what;
};

/** Turns toml++'s positions (code points) into bytes. Positions mostly ascend, so the last one is the start. */
class position_map
{
  public:
    position_map(const char *file, const char *text, size_t length) : file_(file), text_(text), end_(text + length)
    {
        lines_.push_back(text);
        for (const char *at = text; (at = static_cast<const char *>(memchr(at, '\n', size_t(end_ - at)))) != nullptr;) {
            lines_.push_back(++at);
        }
    }

    rg_place place(const toml::source_region &region)
    {
        rg_place made = {file_, text_, 0, 0, 0};
        if (region.begin) {
            const char *first = find(region.begin);
            made.line = region.begin.line;
            made.column = unsigned(first - lines_[line_]) + 1;
            if (region.end && region.end.line == region.begin.line && region.end.column > region.begin.column) {
                made.length = unsigned(find(region.end) - first);
            }
        }
        return made;
    }

  private:
    const char *find(const toml::source_position &position)
    {
        const size_t line = std::min(size_t(position.line) - 1, lines_.size() - 1);
        if (line != line_ || position.column < column_) {
            line_ = line;
            column_ = 1;
            at_ = lines_[line];
        }
        for (; column_ < position.column && at_ < end_ && *at_ != '\n'; column_++) {
            do {
                at_++;
            } while (at_ < end_ && (static_cast<unsigned char>(*at_) & 0xC0U) == 0x80U);
        }
        return at_;
    }

    const char *file_, *text_, *end_;
    std::vector<const char *> lines_;
    size_t line_ = SIZE_MAX;
    unsigned column_ = 1;
    const char *at_ = nullptr;
};

class converter
{
  public:
    converter(rg_arena *arena, position_map *positions) : arena_(arena), positions_(positions) {}

    void convert(const toml::node &node, rg_toml *out, unsigned depth)
    {
        out->place = positions_->place(node.source());
        if (depth > max_depth) {
            throw not_taken{out->place, "nested too deep (at most 128 levels)"};
        }
        switch (node.type()) {
        case toml::node_type::table: table(*node.as_table(), out, depth); break;
        case toml::node_type::array: array(*node.as_array(), out, depth); break;
        case toml::node_type::string:
            out->type = RG_TOML_TEXT;
            out->text = copy(**node.as_string(), out->place);
            break;
        case toml::node_type::integer:
            out->type = RG_TOML_INT;
            out->integer = **node.as_integer();
            break;
        case toml::node_type::floating_point:
            out->type = RG_TOML_FLOAT;
            out->number = **node.as_floating_point();
            break;
        case toml::node_type::boolean:
            out->type = RG_TOML_BOOL;
            out->truth = **node.as_boolean();
            break;
        default: out->type = RG_TOML_DATE; break;
        }
    }

  private:
    rg_toml *children(rg_toml *out, size_t count)
    {
        auto *made = static_cast<rg_toml *>(rg_arena_array(arena_, count, sizeof(rg_toml)));
        if (made == nullptr) {
            throw out_of_memory{};
        }
        out->count = count;
        out->children = made;
        return made;
    }

    const char *copy(std::string_view text, const rg_place &place)
    {
        if (text.find('\0') != std::string_view::npos) {
            throw not_taken{place, "a text holds the character U+0000 (leave it out)"};
        }
        const char *made = rg_arena_copy(arena_, text.data(), text.size());
        if (made == nullptr) {
            throw out_of_memory{};
        }
        return made;
    }

    void table(const toml::table &table, rg_toml *out, unsigned depth)
    {
        using member = std::pair<const toml::key *, const toml::node *>;
        std::vector<member> members;
        for (auto &&[key, value] : table) {
            members.emplace_back(&key, &value);
        }
        std::stable_sort(members.begin(), members.end(), [](const member &a, const member &b) {
            const toml::source_position &x = a.first->source().begin, &y = b.first->source().begin;
            return x.line != y.line ? x.line < y.line : x.column < y.column;
        });
        out->type = RG_TOML_TABLE;
        rg_toml *child = children(out, members.size());
        for (const member &each : members) {
            child->key_place = positions_->place(each.first->source());
            child->key = copy(each.first->str(), child->key_place);
            convert(*each.second, child++, depth + 1);
        }
    }

    void array(const toml::array &array, rg_toml *out, unsigned depth)
    {
        out->type = RG_TOML_ARRAY;
        rg_toml *child = children(out, array.size());
        for (const toml::node &each : array) {
            convert(each, child++, depth + 1);
        }
    }

    rg_arena *arena_;
    position_map *positions_;
};

} // namespace

extern "C" ridge_status rg_toml_parse(struct rg_arena *arena, const char *name, const char *text, size_t length,
                                      struct rg_toml *out, struct rg_toml_problem *problem)
{
    try {
        position_map positions(name, text, length);
        try {
            const toml::table root = toml::parse(std::string_view(text, length));
            converter(arena, &positions).convert(root, out, 0);
            return RIDGE_OK;
        } catch (const toml::parse_error &error) {
            problem->place = positions.place(error.source());
            const std::string_view what = error.description();
            problem->what[what.copy(problem->what, sizeof problem->what - 1)] = '\0';
            return RIDGE_E_SYNTAX;
        } catch (const not_taken &error) {
            problem->place = error.place;
            const std::string_view what = error.what;
            problem->what[what.copy(problem->what, sizeof problem->what - 1)] = '\0';
            problem->complete = true;
            return RIDGE_E_SYNTAX;
        }
    } catch (const std::bad_alloc &) {
        return RIDGE_E_MEMORY;
    } catch (const out_of_memory &) {
        return RIDGE_E_MEMORY;
    } catch (...) {
        return RIDGE_E_INTERNAL;
    }
}
