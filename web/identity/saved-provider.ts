const storedAs = 'publicway.sign-in-provider'

/** The single sign-on by which this browser's user came last. */
export interface SavedProvider {
  providerId: string
  name: string
  email: string
}

/** What is remembered; null if nothing, or if it cannot be read. */
export function savedProvider(): SavedProvider | null {
  try {
    const kept = JSON.parse(localStorage.getItem(storedAs) ?? 'null') as Partial<SavedProvider> | null
    const { providerId, name, email } = kept ?? {}
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
  localStorage.setItem(storedAs, JSON.stringify({ providerId, name, email }))
export const forgetProvider = (): void => localStorage.removeItem(storedAs)
