import type { TFunction } from 'i18next'
import { type FeedKind, feedKinds, feedKindTexts } from '#contract/feeds.ts'
import { declareTexts } from '#web/i18n/start-i18n.ts'

const textsIn = (language: 'en' | 'es') => ({
  kinds: Object.fromEntries(feedKinds.map((kind) => [kind, feedKindTexts[kind][language]])),
})
declareTexts('health', { en: textsIn('en'), es: textsIn('es') })

export const feedKindName = (t: TFunction, kind: FeedKind): string => t(`health:kinds.${kind}.name`)
/** Returns the name of a feed kind as an option: it tells whether data is pulled or pushed. */
export const feedKindChoice = (t: TFunction, kind: FeedKind): string => t(`health:kinds.${kind}.choice`)
