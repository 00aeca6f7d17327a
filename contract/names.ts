import { z } from 'zod'

/**
 * Characters that a name must not hold because they change how it is shown, or cannot be seen at all, so that two
 * names look alike: control characters (C0 and C1), format characters (overrides of the writing direction, zero width,
 * soft hyphens, byte order marks), line and paragraph separators, blank fillers and half characters.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u034F\u115F\u1160\u3164\uFFA0]/u

/** A name that came from elsewhere, without such characters. */
export const visibleName = (text: string): string => text.replaceAll(new RegExp(hidden, 'gu'), '')

const isVisible = (text: string): boolean => !hidden.test(text)
const message = 'A name is one line without control characters or characters that cannot be seen'

/** A name that people give: trimmed, one line, 1 to `max` characters. */
export const nameSchema = (max: number) => z.string().trim().min(1).max(max).refine(isVisible, message)

/** A name that may be left empty. */
export const optionalNameSchema = (max: number) => z.string().trim().max(max).refine(isVisible, message)
