import http from 'node:http'

/** A small server that listens on the server's port until the start is complete. */
export interface StartingPage {
  /** Shows a line about the progress of the start. */
  show: (line: string) => void
  /** Frees the port. */
  close: () => Promise<void>
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const renderPage = (line: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Publicway is starting</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:20vh auto;max-width:28rem;padding:0 1rem}h1{font-size:1.5rem}</style>
</head>
<body>
<h1>Publicway is starting</h1>
<p role="status">${escapeHtml(line)}</p>
<p>This page reloads by itself and opens Publicway when it is ready.</p>
</body>
</html>
`

/**
 * Listens on the server's port during a long first start, so that a port that is in use is reported early and
 * browsers show progress. Responds 503 to every call but `/livez`: as HTML to browsers, as JSON to others.
 */
export async function openStartingPage(host: string, port: number): Promise<StartingPage> {
  let line = 'Opening the stores.'
  const server = http.createServer((request, response) => {
    // Otherwise a supervisor would restart the process during a long first start.
    if (request.url === '/livez') {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
      return void response.end(JSON.stringify({ status: 'alive' }))
    }
    const isPage = request.headers.accept?.includes('text/html') ?? false
    response.writeHead(503, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '2',
      connection: 'close',
    })
    response.end(
      isPage
        ? renderPage(line)
        : JSON.stringify({ status: 'starting', detail: `Publicway is starting. ${line}` }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  return {
    show: (text) => void (line = text.trim()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
