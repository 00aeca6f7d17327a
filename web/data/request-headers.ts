/** Under which name the browser keeps whom an administrator looks on as: { user_id, user_email }. */
export const impersonatedUserKey = 'publicway.impersonated-user'

/** Headers of every call and tile: whom an administrator looks on as (1-product, section 7). Nobody else needs to know. */
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
