import type { SignInProvider } from '#contract/sign-in-providers.ts'

/** State of the provider form. The server never returns the secret; an empty one leaves it unchanged. */
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

/** Returns the editable fields of a provider; its secret is never loaded. */
export const toProviderDraft = ({
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

/** Normalizes a domain as typed or pasted: `@City.example ` becomes `city.example`. */
export const normalizeDomain = (text: string): string => text.trim().toLowerCase().replace(/^@/, '')

/** Returns the request body that saves the draft. */
export const toProviderBody = ({
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
  email_domains: [...new Set(emailDomains.map(normalizeDomain).filter(Boolean))],
  creates_users: createsUsers,
  enabled,
})
