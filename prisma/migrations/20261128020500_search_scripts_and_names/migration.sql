-- Words of titles and descriptions in scripts without blanks, in other spellings, in names of programs and in compounds.
-- Texts have the same by src/features/search/model, whose version makes gateways index them again in the background.

-- A text without accents, vowel points, width forms and characters of no width, in lower case: as `folded` makes it.
CREATE FUNCTION "search_folded"(text TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT translate(lower(normalize(regexp_replace(normalize(text COLLATE "default", NFKD),
        '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u08d3-\u08ff]+', '', 'g'), NFC)), 'ςىیک', 'σييك')
$$;

-- The words of a text with blanks between them, each letter of a script without blanks as a word, and then the other
-- forms of its names: as `searchable` and `otherForms` return them.
CREATE FUNCTION "search_words"(text TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT concat_ws(' ',
        regexp_replace("search_folded"(regexp_replace(t.text, '[[:space:][:punct:][:cntrl:]$+<=>^`|~\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u2000-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u20cf\u2100-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\ufe10-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffef\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b\u061e\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e3f\u0e4f\u0e5a\u0e5b\u0f01-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f85\u0fbe-\u0fc5\u0fc7-\u0fda\u104a-\u104f\u17d4-\u17d6\u17d8-\u17db\u1aa0-\u1aa6\u1b5a-\u1b6a\u1b74-\u1b7c\ua9c1-\ua9cd\ua9de\ua9df]+', ' ', 'g')),
            '([\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u1b00-\u1b7f\u3005-\u3007\u3040-\u31ff\u3400-\ua48f\ua960-\uaadf\uac00-\ud7ff\uf900-\ufaff\U00016fe0-\U0001b2ff\U00020000-\U000323af])([\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f3f\u0f71-\u0f84\u0f86-\u0f87\u0f8d-\u0f97\u0f99-\u0fbc\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u3099-\u309a\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c-\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1]*)', ' \1\2 ', 'g'),
        (SELECT string_agg("search_folded"(regexp_replace(m[1], '[._''’׳״־‐‑-]', '', 'g')), ' ')
            FROM regexp_matches(t.text, '[^[:space:][:punct:][:cntrl:]$+<=>^`|~\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u2000-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u20cf\u2100-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\ufe10-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffef\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b\u061e\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e3f\u0e4f\u0e5a\u0e5b\u0f01-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f85\u0fbe-\u0fc5\u0fc7-\u0fda\u104a-\u104f\u17d4-\u17d6\u17d8-\u17db\u1aa0-\u1aa6\u1b5a-\u1b6a\u1b74-\u1b7c\ua9c1-\ua9cd\ua9de\ua9df\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u1b00-\u1b7f\u3005-\u3007\u3040-\u31ff\u3400-\ua48f\ua960-\uaadf\uac00-\ud7ff\uf900-\ufaff\U00016fe0-\U0001b2ff\U00020000-\U000323af]+(?:[._''’׳״־‐‑-]{1,2}[^[:space:][:punct:][:cntrl:]$+<=>^`|~\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u2000-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u20cf\u2100-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\ufe10-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffef\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b\u061e\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e3f\u0e4f\u0e5a\u0e5b\u0f01-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f85\u0fbe-\u0fc5\u0fc7-\u0fda\u104a-\u104f\u17d4-\u17d6\u17d8-\u17db\u1aa0-\u1aa6\u1b5a-\u1b6a\u1b74-\u1b7c\ua9c1-\ua9cd\ua9de\ua9df\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u1b00-\u1b7f\u3005-\u3007\u3040-\u31ff\u3400-\ua48f\ua960-\uaadf\uac00-\ud7ff\uf900-\ufaff\U00016fe0-\U0001b2ff\U00020000-\U000323af]+)+', 'g') m
            WHERE length(m[1]) <= 80 AND m[1] ~ '[[:alpha:]]'),
        (SELECT string_agg("search_folded"(regexp_replace(regexp_replace(m[1], '([a-zß-öø-ÿ0-9])([A-ZÀ-ÖØ-Þ])', '\1 \2', 'g'),
                '([A-ZÀ-ÖØ-Þ])([A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])', '\1 \2', 'g')), ' ')
            FROM regexp_matches(t.text, '[^[:space:][:punct:][:cntrl:]$+<=>^`|~\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u2000-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u20cf\u2100-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\ufe10-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffef\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b\u061e\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e3f\u0e4f\u0e5a\u0e5b\u0f01-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f85\u0fbe-\u0fc5\u0fc7-\u0fda\u104a-\u104f\u17d4-\u17d6\u17d8-\u17db\u1aa0-\u1aa6\u1b5a-\u1b6a\u1b74-\u1b7c\ua9c1-\ua9cd\ua9de\ua9df\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u1b00-\u1b7f\u3005-\u3007\u3040-\u31ff\u3400-\ua48f\ua960-\uaadf\uac00-\ud7ff\uf900-\ufaff\U00016fe0-\U0001b2ff\U00020000-\U000323af]+', 'g') m
            WHERE m[1] ~ '[a-zß-öø-ÿ0-9][A-ZÀ-ÖØ-Þ]|[A-ZÀ-ÖØ-Þ]{2}[a-zß-öø-ÿ]'),
        (SELECT string_agg(lower(m[1]) || 'plusplus', ' ') FROM regexp_matches(t.text, '(?<![[:alnum:]])([[:alnum:]]{1,20})\+\+(?!\+)', 'g') m),
        (SELECT string_agg(lower(m[1]) || 'sharp', ' ') FROM regexp_matches(t.text, '(?<![[:alnum:]])([A-Za-z])[#♯](?![[:alnum:]#])', 'g') m),
        CASE WHEN t.text ~* '(?<![[:alnum:]])\.net(?![[:alnum:]])' THEN 'dotnet' END)
    FROM (SELECT regexp_replace(text COLLATE "default", '[\u00ad\u034f\u061c\u0640\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+', '', 'g') OFFSET 0) t(text)
$$;

-- The ends of long words, in languages that join nouns: `Verbindung` finds `Datenbankverbindung`. `joinsNouns` and
-- `compound` have the same languages and lengths.
CREATE FUNCTION "search_compounds"(language TEXT, words TEXT) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN language IN ('danish', 'dutch', 'finnish', 'german', 'norwegian', 'swedish') THEN coalesce(strip((
        SELECT to_tsvector("search_configuration"(language), string_agg(substr(w.word, i), ' '))
        FROM regexp_split_to_table(words, ' +') w(word) CROSS JOIN LATERAL generate_series(4, length(w.word) - 3) i
        WHERE length(w.word) BETWEEN 8 AND 50)), '') ELSE '' END
$$;

-- The words of a page beside its text, in the language of its space.
CREATE OR REPLACE FUNCTION "present_page_words"(space TEXT, title TEXT, fields JSONB) RETURNS tsvector LANGUAGE sql STABLE AS $$
    SELECT setweight(to_tsvector(c.configuration, w.title), 'A') || setweight(to_tsvector(c.configuration, w.description), 'B')
        || "search_compounds"(c.language, w.title || ' ' || w.description)
    FROM (SELECT l.language, "search_configuration"(l.language)
            FROM (SELECT coalesce(s."searchLanguage"::TEXT, 'simple') FROM "Space" s WHERE s."id" = space) l(language) OFFSET 0) c(language, configuration)
        CROSS JOIN LATERAL (SELECT "search_words"(title), "search_words"(left(coalesce(fields ->> 'description', ''), 10000)) OFFSET 0) w(title, description)
$$;

-- Pages with a text get their words when that is indexed again. Those without one have theirs from here on.
UPDATE "PresentPage" SET "title" = "title" WHERE "hash" IS NULL AND "title" ~ '[^ a-zA-Z0-9]|[a-z][A-Z]';
