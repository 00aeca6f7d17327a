import type { TFunction } from 'i18next'
import { type FeedKind, feedKinds, feedKindTexts } from '#contract/feeds.ts'
import { declareTexts } from '#web/i18n/start-i18n.ts'

const textsIn = (language: 'en' | 'es') => ({
  kinds: Object.fromEntries(feedKinds.map((kind) => [kind, feedKindTexts[kind][language]])),
})
declareTexts('health', { en: textsIn('en'), es: textsIn('es') })

export const feedKindName = (t: TFunction, kind: FeedKind): string => t(`health:kinds.${kind}.name`)
/** Its name where one is chosen: whether it is fetched or sent. */
export const feedKindChoice = (t: TFunction, kind: FeedKind): string => t(`health:kinds.${kind}.choice`)
