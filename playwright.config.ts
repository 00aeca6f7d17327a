import { defineConfig } from '@playwright/test'

const ports = { people: 4879, maps: 4880 }

/** Specs of people and pages, which take half of the time; a spec that is not named here is on the other server. */
const ofPeople = /\/(?:admin|frame|identity|second-factors)\.spec\.ts$/

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/browser',
  // Two servers with a city each, so that no processor waits for the other; the specs of a server follow one another.
  workers: 2,
  projects: [
    { name: 'people', testMatch: ofPeople, workers: 1, use: { baseURL: addressOf(ports.people) } },
    { name: 'maps', testIgnore: ofPeople, workers: 1, use: { baseURL: addressOf(ports.maps) } },
  ],
  forbidOnly: Boolean(process.env['CI']),
  // A browser on a busy machine may miss its moment: what fails twice has failed; what passes then is named as flaky.
  retries: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    // WebGL is drawn by the processor here, so that every pixel costs.
    viewport: { width: 1024, height: 640 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'],
      // Only maps need WebGL: pages that are put together by it as well cost a third more.
      args: [
        '--no-sandbox',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--ignore-gpu-blocklist',
        '--disable-gpu-compositing',
        '--disable-gpu-rasterization',
        '--disable-dev-shm-usage',
      ],
    },
  },
  webServer: {
    command: `node --import tsx test/browser/serve.ts ${ports.people} ${ports.maps}`,
    wait: { stdout: /All cities are there/ },
    // As in production: without it the engine's questions keep all of libuv's four threads, and no password is tried meanwhile.
    env: { UV_THREADPOOL_SIZE: '16' },
    timeout: 300_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
})

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`
}
