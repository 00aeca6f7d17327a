import { Marked } from 'marked'
import type { Language } from '#web/i18n/start-i18n.ts'

/** Pages of the user guide in their order; each is `docs/guide/<topic>.md`. */
export const guideTopics = [
  'live-map',
  'maps',
  'reports',
  'policies',
  'compliance',
  'invoicing',
  'regulations',
  'curb-activity',
  'curb-payments',
  'curb-occupancy',
  'curb-pricing',
  'geographies',
  'imports',
  'exports',
  'feeds',
  'users',
  'administration',
] as const
export type GuideTopic = (typeof guideTopics)[number]

const englishPages = import.meta.glob<string>('../../../docs/guide/*.md', {
  query: '?raw',
  import: 'default',
})
const spanishPages = import.meta.glob<string>('../../../docs/guide/es/*.md', {
  query: '?raw',
  import: 'default',
})
const imageUrls = import.meta.glob<string>('../../../docs/guide/images/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** Replaces image paths by the URLs of bundled files. */
const marked = new Marked({
  walkTokens: (token) => {
    if (token.type === 'image')
      token['href'] = imageUrls[`../../../docs/guide/${String(token['href'])}`] ?? ''
  },
})

/** Loads a page of the guide as HTML, which is part of the app and therefore trusted; in English if not translated. */
export async function loadGuide(topic: GuideTopic, language: Language): Promise<string> {
  const load =
    (language === 'es' ? spanishPages[`../../../docs/guide/es/${topic}.md`] : undefined) ??
    englishPages[`../../../docs/guide/${topic}.md`]
  return marked.parse((await load?.()) ?? '', { async: false })
}
