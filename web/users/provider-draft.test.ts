import { describe, expect, it } from 'vitest'
import { emptyProvider, toProviderBody, toProviderDraft } from './provider-draft.ts'

describe('the request body of a provider', () => {
  it('is trimmed, and contains each domain once', () => {
    const draft = {
      ...emptyProvider,
      name: ' City ',
      issuer: ' https://id.city.example ',
      clientId: ' pw ',
      clientSecret: ' s ',
      emailDomains: ['@City.example', 'city.example', ' ', 'Port.example '],
    }
    expect(toProviderBody(draft)).toEqual({
      name: 'City',
      issuer: 'https://id.city.example',
      client_id: 'pw',
      client_secret: ' s ',
      email_domains: ['city.example', 'port.example'],
      creates_users: false,
      enabled: true,
    })
  })

  it('has no secret if none is typed, which keeps the stored one', () => {
    const draft = toProviderDraft({
      id: 'p1',
      name: 'City',
      issuer: 'https://id.city.example',
      clientId: 'pw',
      hasSecret: true,
      emailDomains: ['city.example'],
      createsUsers: true,
      enabled: false,
    })
    expect(draft.clientSecret).toBe('')
    expect(toProviderBody(draft)).toEqual({
      name: 'City',
      issuer: 'https://id.city.example',
      client_id: 'pw',
      email_domains: ['city.example'],
      creates_users: true,
      enabled: false,
    })
  })
})
