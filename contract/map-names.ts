// Without schemas, because the frame of the web app loads this file before any screen.

/** Maps with a value for each shape of a layer. */
export const spatialModes = ['trips', 'parking', 'distribution', 'drop_offs'] as const

/** The page and the map name of each mode. */
export const spatialMaps = {
  trips: 'trips',
  parking: 'parking',
  distribution: 'distribution',
  drop_offs: 'operator-drop-offs',
} as const satisfies Record<(typeof spatialModes)[number], string>

/** Maps that a region can allow, and `policy`, without which there is no policies library; in the order of the menu. */
export const mapNames = [
  'live',
  '311',
  ...(['routes', ...Object.values(spatialMaps)] as const).toSorted(),
  'policy',
] as const
