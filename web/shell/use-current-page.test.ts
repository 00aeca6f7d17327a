import { describe, expect, it } from 'vitest'
import { pageAt } from './use-current-page.ts'
import { pagePath, pageKeys, pages } from './pages.ts'
import { productAt } from './title.ts'

describe('an address', () => {
  it.each(pageKeys)('of %s is recognized', (key) => {
    const address = pagePath('port-meridian', key).replace(/\$\w+/, 'a1b2')
    expect(pageAt(address)).toBe(key)
    expect(pageAt(`${address}/`)).toBe(key)
    expect(productAt(address)).toBe(pages[key].product)
  })

  it.each(
    pageKeys.filter(
      (key) =>
        ![
          'policies',
          'policy',
          'compliance',
          'invoicing',
          'regulationsLibrary',
          'regulation',
          'curbImports',
          'paymentImports',
          'pricingEngine',
          'occupancyCounts',
        ].includes(key),
    ),
  )('below %s belongs to it too', (key) => {
    expect(pageAt(`${pagePath('port-meridian', key)}/more/of/it`)).toBe(key)
  })

  it('with a static segment is not mistaken for the id of a policy', () => {
    expect(pageAt('/x/mobility/policies/compliance')).toBe('compliance')
    expect(pageAt('/x/mobility/policies/create')).toBe('policyCreate')
    expect(pageAt('/x/mobility/policies/7/edit')).toBe('policyEdit')
    expect(pageAt('/x/mobility/policies/compliance/7')).toBe('complianceDetail')
  })

  it('with a static segment is not mistaken for the id of a regulation', () => {
    expect(pageAt('/x/curb/regulations/library/create')).toBe('regulationCreate')
    expect(pageAt('/x/curb/regulations/library/7')).toBe('regulation')
    expect(pageAt('/x/curb/regulations/library/7/edit')).toBe('regulationEdit')
  })

  it('outside of the pages has no page', () => {
    for (const address of [
      '/',
      '/admin/regions',
      '/port-meridian',
      '/port-meridian/mobility',
      '/port-meridian/mobility/maps/tripsmore',
      '/port-meridian/curb',
    ])
      expect(pageAt(address)).toBeNull()
  })

  it('belongs to a product, or to none', () => {
    expect(['/', '/login', '/admin/regions', '/curb', '/x', '/x/404'].map(productAt)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ])
    expect(['/x/curb', '/x/curb/geographies', '/x/public/regulations'].map(productAt)).toEqual([
      'curb',
      'curb',
      'curb',
    ])
    expect(
      ['/x/mobility', '/x/mobile/live', '/x/public/routes', '/x/public/policies'].map(productAt),
    ).toEqual(Array(4).fill('mobility'))
  })

  it('is unique to its page', () => {
    expect(new Set(pageKeys.map((key) => pages[key].path)).size).toBe(pageKeys.length)
  })
})
