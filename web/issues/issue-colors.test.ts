import { describe, expect, it } from 'vitest'
import { dataColors } from '#web/kit/theme.ts'
import { getStatusColors, assignTypeColors } from './issue-colors.ts'

const types = (count: number) => Array.from({ length: count }, (_, index) => ({ service_code: `t${index}` }))

describe.each(['light', 'dark'] as const)('colors of issues (%s)', (scheme) => {
  const { categorical } = dataColors[scheme]

  it('distinguish open from closed', () => {
    const { open, closed } = getStatusColors(scheme)
    expect(open).not.toBe(closed)
    expect(categorical).toEqual(expect.arrayContaining([open, closed]))
  })

  it('give each type its own color if there are few', () => {
    expect(new Set(assignTypeColors(types(categorical.length), scheme).own.values()).size).toBe(
      categorical.length,
    )
  })

  it('give the most frequent types their own colors, and all others a shared one', () => {
    const { own, others } = assignTypeColors(types(40), scheme)
    expect([...own.keys()]).toEqual(types(categorical.length - 1).map(({ service_code }) => service_code))
    expect([...own.values()]).not.toContain(others)
  })
})
