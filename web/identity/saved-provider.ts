const storageKey = 'publicway.sign-in-provider'

/** The provider of the last single sign-on in this browser. */
export interface SavedProvider {
  providerId: string
  name: string
  email: string
}

/** Returns the saved provider; null if there is none, or if it cannot be read. */
export function readSavedProvider(): SavedProvider | null {
  try {
    const saved = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<SavedProvider> | null
    const { providerId, name, email } = saved ?? {}
    return typeof providerId === 'string' &&
      typeof name === 'string' &&
      typeof email === 'string' &&
      providerId &&
      email
      ? { providerId, name, email }
      : null
  } catch {
    return null
  }
}

export const saveProvider = ({ providerId, name, email }: SavedProvider): void =>
  localStorage.setItem(storageKey, JSON.stringify({ providerId, name, email }))
export const forgetProvider = (): void => localStorage.removeItem(storageKey)
