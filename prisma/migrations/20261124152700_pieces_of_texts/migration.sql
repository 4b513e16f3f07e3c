-- Every sign of a text and every two that stand side by side, as an index knows texts by: what is searched for may be
-- shorter than the three letters of an index of trigrams, or have no letters at all.
CREATE FUNCTION "text_pieces"(value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN string_to_array(value, NULL)
    || string_to_array(rtrim(regexp_replace(value, '(..)', E'\\1\x01', 'g'), E'\x01'), E'\x01')
    || string_to_array(rtrim(regexp_replace(substr(value, 2), '(..)', E'\\1\x01', 'g'), E'\x01'), E'\x01');
