import { pagePath } from '#web/shell/pages.ts'

/** Path of a regulation, or of its editor. */
export const regulationAddress = (regionId: string, regulationId: string, act?: 'edit'): string =>
  `${pagePath(regionId, 'regulationsLibrary')}/${encodeURIComponent(regulationId)}${act ? `/${act}` : ''}`
