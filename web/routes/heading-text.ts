import type { TFunction } from 'i18next'
import { compassOf } from '#contract/routes.ts'

/** What riding along a segment, or against it, is called: where it leads to. */
export const headingText = (t: TFunction, heading: number, isForward: boolean): string =>
  t(`routes:towards.${compassOf(isForward ? heading : heading + 180)}`)
