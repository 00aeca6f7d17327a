/** The server's rooms, each may import those before it. */
export const serverRooms = [
  [
    'config',
    'metrics',
    'stores',
    'jobs',
    'mail',
    'archives',
    'http',
    'analytics',
    'identity',
    'regions',
    'users',
    'notifications',
    'api-keys',
    'geography',
    'basemap',
    'operators',
    'derived',
    'fleet',
    'live',
    'routes',
  ],
  [
    'issues',
    'weather',
    'curb',
    'policies',
    'evaluation',
    'feeds',
    'imports',
    'health',
    'compliance',
    'billing',
    'reporting',
    'operations',
  ],
  ['schedule', 'app', 'main'],
].flat()

/** The server's first rooms know nothing of a city: any file of theirs may be used. */
export const foundation = ['config', 'metrics', 'stores', 'jobs', 'mail', 'archives', 'http', 'analytics']

/** The server's files that bring all rooms together. */
export const top = ['schedule', 'app', 'main']

/** The web app's own rooms, texts first; between shell and live stand the rooms that have the names of the server's. */
export const webRooms = [
  'i18n',
  'kit',
  'charts',
  'map',
  'data',
  'shell',
  'filters',
  'map-page',
  '<rooms>',
  'live',
  'screens',
  'main',
]

export function webLevel(room: string): number {
  const own = webRooms.indexOf(room)
  return own === -1 && isDomainRoom(room) ? webRooms.indexOf('<rooms>') : own
}

function isDomainRoom(room: string): boolean {
  return serverRooms.includes(room) && !foundation.includes(room) && !top.includes(room)
}
