/** The server's rooms, each may import those before it. */
export const SERVER_ROOMS = [
  [
    'config',
    'stores',
    'jobs',
    'mail',
    'http',
    'analytics',
    'identity',
    'regions',
    'users',
    'geography',
    'basemap',
    'operators',
    'mobility',
  ],
  [
    'issues',
    'weather',
    'curb',
    'policies',
    'ingest',
    'evaluation',
    'routes',
    'feeds',
    'health',
    'compliance',
    'billing',
    'reporting',
  ],
  ['app', 'schedule', 'main'],
].flat()

/** The server's first rooms know nothing of a city: any file of theirs may be used. */
export const FOUNDATION = ['config', 'stores', 'jobs', 'mail', 'http', 'analytics']

/** The server's files that bring all rooms together. */
export const TOP = ['app', 'schedule', 'main']

/** The web app's own rooms, texts first; between shell and live stand the rooms that have the names of the server's. */
export const WEB_ROOMS = [
  'i18n',
  'kit',
  'charts',
  'map',
  'data',
  'shell',
  '<rooms>',
  'live',
  'screens',
  'main',
]

export function webLevel(room: string): number {
  const own = WEB_ROOMS.indexOf(room)
  return own === -1 && isDomainRoom(room) ? WEB_ROOMS.indexOf('<rooms>') : own
}

function isDomainRoom(room: string): boolean {
  return SERVER_ROOMS.includes(room) && !FOUNDATION.includes(room) && !TOP.includes(room)
}
