import { languages } from '#web/i18n/start-i18n.ts'

/** Languages of documents, each by its own name. */
export const languageOptions = Object.entries(languages).map(([value, label]) => ({ value, label }))
