import { afterEach, describe, expect, it } from 'vitest'
import { mailtoUrl, support } from './support.ts'

afterEach(() => document.head.replaceChildren())

describe('the support', () => {
  it('has the address that the page names, or none', () => {
    expect(support.email()).toBe('')
    document.head.innerHTML = '<meta name="support-email" content=" help@city.example ">'
    expect(support.email()).toBe('help@city.example')
  })

  it('has the help site that the page names, or the server’s own reference', () => {
    expect(support.helpSite()).toBe('/v2/docs')
    document.head.innerHTML = '<meta name="help-site" content="https://help.city.example">'
    expect(support.helpSite()).toBe('https://help.city.example')
  })

  it('gets a message whole, whatever is in it', () => {
    const address = new URL(mailtoUrl('help@city.example', 'A & B', 'one\ntwo?&cc=x@y.example'))
    expect(address.pathname).toBe('help@city.example')
    expect([...address.searchParams]).toEqual([
      ['subject', 'A & B'],
      ['body', 'one\ntwo?&cc=x@y.example'],
    ])
  })
})
