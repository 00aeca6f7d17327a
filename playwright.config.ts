import { defineConfig } from '@playwright/test';

const PORT = 4879;

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/browser',
  // One server and one city for all: the specs follow one another.
  workers: 1,
  forbidOnly: Boolean(process.env['CI']),
  // A browser on a busy machine may miss its moment: what fails twice has failed; what passes then is named as flaky.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    // WebGL is drawn by the processor here, so that every pixel costs.
    viewport: { width: 1024, height: 640 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'],
      args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-dev-shm-usage'],
    },
  },
  webServer: {
    command: 'node --import tsx test/browser/serve.ts',
    url: `http://127.0.0.1:${PORT}`,
    env: { PORT: String(PORT) },
    timeout: 120_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
