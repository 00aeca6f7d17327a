/** Storage key of the impersonated user: { user_id, user_email }. */
export const impersonatedUserKey = 'publicway.impersonated-user'

/** Headers of every call and tile request: the user whom an administrator impersonates. */
export function requestHeaders(): Record<string, string> {
  try {
    const stored = JSON.parse(localStorage.getItem(impersonatedUserKey) ?? 'null') as {
      user_id?: unknown
    } | null
    return typeof stored?.user_id === 'string' && stored.user_id
      ? { 'impersonated-user': stored.user_id }
      : {}
  } catch {
    return {}
  }
}

/** Headers of a call; `media` is the media type of its body, if it has one. */
export const getCallHeaders = (media?: string): Record<string, string> => ({
  'accept-language': 'en',
  ...requestHeaders(),
  ...(media === undefined ? {} : { 'content-type': media }),
})
