import { describe, expect, it } from 'vitest'
import { emptyProvider, providerAskOf, providerDraftOf } from './provider-draft.ts'

describe('a provider', () => {
  it('is asked for tidied, its domains once each', () => {
    const draft = {
      ...emptyProvider,
      name: ' City ',
      issuer: ' https://id.city.example ',
      clientId: ' pw ',
      clientSecret: ' s ',
      emailDomains: ['@City.example', 'city.example', ' ', 'Port.example '],
    }
    expect(providerAskOf(draft)).toEqual({
      name: 'City',
      issuer: 'https://id.city.example',
      client_id: 'pw',
      client_secret: ' s ',
      email_domains: ['city.example', 'port.example'],
      creates_users: false,
      enabled: true,
    })
  })

  it('keeps the secret that the server has when none is typed', () => {
    const draft = providerDraftOf({
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
    expect(providerAskOf(draft)).toEqual({
      name: 'City',
      issuer: 'https://id.city.example',
      client_id: 'pw',
      email_domains: ['city.example'],
      creates_users: true,
      enabled: false,
    })
  })
})
