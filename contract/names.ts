import { z } from 'zod'

/**
 * Characters that a name must not contain because they are invisible or change how text is displayed, so that
 * two names could look the same: control characters (C0 and C1), format characters (bidirectional overrides,
 * zero-width characters, soft hyphens, byte order marks), line and paragraph separators, what Unicode lets
 * fonts ignore (fillers, variation selectors), the blank Braille pattern and lone surrogates.
 */
const forbiddenCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Removes forbidden characters from a name that comes from another system. */
export const removeInvisible = (text: string): string =>
  text.replaceAll(new RegExp(forbiddenCharacters, 'gu'), '')

const hasNoForbiddenCharacter = (text: string): boolean => !forbiddenCharacters.test(text)
const errorMessage = 'A name is one line without control characters or characters that cannot be seen'

/** Returns the schema of a name entered by a user: trimmed, one line, 1 to `max` characters. */
export const nameSchema = (max: number) =>
  z.string().trim().min(1).max(max).refine(hasNoForbiddenCharacter, errorMessage)

/** Returns the schema of a name that may be empty. */
export const optionalNameSchema = (max: number) =>
  z.string().trim().max(max).refine(hasNoForbiddenCharacter, errorMessage)
