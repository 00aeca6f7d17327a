import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { BasemapNotice, MapAttribution } from './map-attribution.tsx'

describe('the attribution', () => {
  it('names each source, with links that open in a new tab', async () => {
    const { container } = await renderPart(
      <MapAttribution
        texts={[
          '© OpenStreetMap contributors',
          '<a href="https://city.example" onclick="x()">City</a> of <script>1</script>Alder',
        ]}
      />,
    )
    expect(container.querySelector('p')).toHaveTextContent(
      'Map data: © OpenStreetMap contributors · City of 1Alder',
    )
    expect(
      screen
        .getAllByRole('link')
        .map((link) => [
          link.textContent,
          link.getAttribute('href'),
          link.getAttribute('target'),
          link.getAttribute('rel'),
        ]),
    ).toEqual([
      [
        '© OpenStreetMap contributors',
        'https://www.openstreetmap.org/copyright',
        '_blank',
        'noreferrer noopener',
      ],
      ['City', 'https://city.example', '_blank', 'noreferrer noopener'],
    ])
    expect(container.querySelector('script, [onclick]')).toBeNull()
  })

  it('the attribution is not shown before a source is loaded', async () => {
    const { container } = await renderPart(<MapAttribution texts={[]} />)
    expect(container.querySelector('p')).toBeNull()
  })
})

it.each([
  ['unreachable', 'The basemap at maps.example did not respond.'],
  ['no_style', 'maps.example did not return a valid map style.'],
  ['other_host', 'The basemap needs maps.example, which this server does not allow.'],
] as const)('explains why the fallback basemap is drawn: %s', async (reason, text) => {
  await renderPart(<BasemapNotice reason={reason} host="maps.example" />)
  expect(screen.getByRole('status')).toHaveTextContent(`${text} The region's own layers are shown instead.`)
})
