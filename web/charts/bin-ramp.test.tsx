import { expect, it } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { BinRamp } from './bin-ramp.tsx'

const makeBin = (key: string, label: string, color: string) => ({
  key,
  label,
  members: '',
  swatch: { color, opacity: 0.35 },
})

it('shows the colors from few to many with the opacity of the map, and the numbers at both ends', async () => {
  const { container } = await renderPart(
    <BinRamp
      rows={[
        makeBin('1', '10 – 99', 'navy'),
        makeBin('0', '1 – 9', 'teal'),
        { key: 'zero', label: '0 (none)', members: '', swatch: 'zero' },
      ]}
    />,
  )
  expect([...container.querySelectorAll('p span')].map((row) => row.textContent)).toEqual([
    '1 – 9',
    '10 – 99',
  ])
  expect(
    [...container.querySelectorAll<HTMLElement>('[style]')].map(({ style }) => [
      style.getPropertyValue('--bin'),
      style.getPropertyValue('--bin-opacity'),
    ]),
  ).toEqual([
    ['teal', '0.35'],
    ['navy', '0.35'],
  ])
})
it('shows the number of a single bin once, and nothing without bins', async () => {
  const single = await renderPart(<BinRamp rows={[makeBin('0', '7', 'teal')]} />)
  expect(single.container.querySelectorAll('p span')).toHaveLength(1)
  const none = await renderPart(
    <BinRamp rows={[{ key: 'none', label: 'No data', members: '', swatch: 'none' }]} />,
  )
  expect(none.container.querySelector('p')).toBeNull()
})
