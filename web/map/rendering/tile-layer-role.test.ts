import { expect, it } from 'vitest'
import { streetClassOfLayer, tileLayerRole } from './tile-layer-role.ts'

it.each([
  [
    'Protomaps',
    'earth land, landcover green, landuse green, natural green, water water, physical_line water, buildings building, roads street, transit rail, places place, pois none, boundaries none, mask none, physical_point none',
  ],
  [
    'OpenMapTiles',
    'landcover green, landuse green, park green, water water, waterway water, transportation street, transportation_name street, building building, place place, boundary none, housenumber none, water_name water, poi none',
  ],
  [
    'Shortbread',
    'ocean water, water_polygons water, water_lines water, land land, buildings building, streets street, street_labels street, place_labels place, pois none, addresses none',
  ],
  [
    'a city’s own',
    'water water, neighborhoods place, arterials street, freeways street, bikeways street, roads street, Parks green, tram_lines rail, zoning other',
  ],
])('recognizes the names of %s', (_, names) => {
  for (const [name, role] of names.split(', ').map((pair) => pair.split(' ')))
    expect([name, tileLayerRole(name ?? '')]).toEqual([name, role])
})

it('derives the class of streets from the name of their layer', () => {
  expect(['freeways', 'motorway', 'arterials', 'bikeways', 'roads'].map(streetClassOfLayer)).toEqual([
    'freeway',
    'freeway',
    'arterial',
    'path',
    'local',
  ])
})
