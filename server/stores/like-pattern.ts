/** What people type, as a pattern that finds it anywhere: its own signs lose their meaning. */
export const likePattern = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`
