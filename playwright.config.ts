import { defineConfig } from '@playwright/test'
import { ports } from './test/browser/servers.js'

/**
 * Features of Chromium that are off. This replaces Playwright's own list, of which the first six are needed here.
 * The last two are menus of the address bar, which every new window renders: 0.4 s of CPU time for each test.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/browser',
  // A worker has a server with a city of its own (fixtures.ts), and takes one file after another.
  workers: ports.length,
  forbidOnly: Boolean(process.env['CI']),
  // A test that passes at its second try is printed as flaky, and is a defect.
  retries: 1,
  // Only what hangs takes so long: a busy machine is ten times as slow as a quiet one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    actionTimeout: 60_000,
    // The processor draws WebGL here, so that every pixel costs: one device pixel is two of CSS each way.
    viewport: { width: 1024, height: 640 },
    deviceScaleFactor: 0.5,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    contextOptions: { reducedMotion: 'reduce' },
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
        `--disable-features=${disabledFeatures.join(',')}`,
      ],
    },
  },
  webServer: {
    command: 'node test/browser/serve.js',
    wait: { stdout: /All cities are there/ },
    // Only a start that hangs takes so long: a busy machine is ten times as slow as a quiet one.
    timeout: 900_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
})
