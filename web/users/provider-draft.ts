import type { SignInProvider } from '#contract/sign-in-providers.ts'

/** A provider as the form holds it. The secret is never answered: empty leaves it as it is. */
export interface ProviderDraft {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  emailDomains: string[]
  createsUsers: boolean
  enabled: boolean
}

export const emptyProvider: ProviderDraft = {
  name: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  emailDomains: [],
  createsUsers: false,
  enabled: true,
}

export const providerDraftOf = ({
  name,
  issuer,
  clientId,
  emailDomains,
  createsUsers,
  enabled,
}: SignInProvider): ProviderDraft => ({
  name,
  issuer,
  clientId,
  clientSecret: '',
  emailDomains: [...emailDomains],
  createsUsers,
  enabled,
})

/** A domain as typed or pasted: `@City.example ` is `city.example`. */
export const tidyDomain = (text: string): string => text.trim().toLowerCase().replace(/^@/, '')

/** What the draft asks the server for. */
export const providerAskOf = ({
  name,
  issuer,
  clientId,
  clientSecret,
  emailDomains,
  createsUsers,
  enabled,
}: ProviderDraft) => ({
  name: name.trim(),
  issuer: issuer.trim(),
  client_id: clientId.trim(),
  ...(clientSecret ? { client_secret: clientSecret } : {}),
  email_domains: [...new Set(emailDomains.map(tidyDomain).filter(Boolean))],
  creates_users: createsUsers,
  enabled,
})
