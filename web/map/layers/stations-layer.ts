import { dataColors, tokens } from '#web/kit/theme.ts'
import type { FleetPoints, StationMark } from './fleet-points.ts'
import { flatDepth } from './flat.ts'
import { rgbaOf } from './rgba-of.ts'

/** Half the width of a station square in pixels. */
export const stationRadiusPx = 10

/** Stations as squares with the number of available vehicles. */
export function stationsLayer({ scheme, stations }: FleetPoints) {
  const { ink, panel } = tokens[scheme]
  return {
    id: 'stations',
    data: [...stations],
    getPosition: ({ lon, lat }: StationMark): [number, number] => [lon, lat],
    getText: ({ text }: StationMark): string => text.padStart(2, ' '),
    getSize: 11,
    getColor: ({ isEmpty }: StationMark) => rgbaOf(isEmpty ? tokens[scheme].quiet : ink),
    background: true,
    backgroundPadding: [4, 3] as [number, number],
    backgroundBorderRadius: 2,
    getBackgroundColor: rgbaOf(panel, 240),
    getBorderColor: ({ isEmpty }: StationMark) =>
      rgbaOf(isEmpty ? dataColors[scheme].noData : dataColors[scheme].outline),
    getBorderWidth: 1.5,
    fontFamily: "'Inter Variable', system-ui, sans-serif",
    fontWeight: 650,
    characterSet: ' 0123456789',
    parameters: flatDepth,
  }
}
