import type { TFunction } from 'i18next'
import { type FeedKind, feedKinds, feedKindTexts } from '#contract/feeds.ts'
import { declareTexts } from '#web/i18n/start-i18n.ts'

const getTexts = (language: 'en' | 'es') => ({
  kinds: Object.fromEntries(feedKinds.map((kind) => [kind, feedKindTexts[kind][language]])),
})
declareTexts('health', { en: getTexts('en'), es: getTexts('es') })

/** Returns the name of a feed kind. */
export const getFeedKindName = (t: TFunction, kind: FeedKind): string => t(`health:kinds.${kind}.name`)
/** Returns the name of a feed kind with whether its data is pulled or pushed, for a list of choices. */
export const getFeedKindChoice = (t: TFunction, kind: FeedKind): string => t(`health:kinds.${kind}.choice`)
