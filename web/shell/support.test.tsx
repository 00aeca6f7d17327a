import { afterEach, describe, expect, it } from 'vitest'
import { mailtoUrl, support } from './support.ts'

afterEach(() => document.head.replaceChildren())

describe('the support', () => {
  it('the support has the configured address, or none', () => {
    expect(support.email()).toBe('')
    document.head.innerHTML = '<meta name="support-email" content=" help@city.example ">'
    expect(support.email()).toBe('help@city.example')
  })

  it('the support has the configured help site, or the API reference', () => {
    expect(support.helpSite()).toBe('/help')
    document.head.innerHTML = '<meta name="help-site" content="https://help.city.example">'
    expect(support.helpSite()).toBe('https://help.city.example')
  })

  it('escapes the message', () => {
    const address = new URL(mailtoUrl('help@city.example', 'A & B', 'one\ntwo?&cc=x@y.example'))
    expect(address.pathname).toBe('help@city.example')
    expect([...address.searchParams]).toEqual([
      ['subject', 'A & B'],
      ['body', 'one\ntwo?&cc=x@y.example'],
    ])
  })
})
