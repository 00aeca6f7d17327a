import { existsSync } from 'node:fs'
import { aptInstall } from './apt-install.js'
import { runTool } from './children.js'
import { findCommand, isExecutable } from './find-command.js'
import { printProgress } from './print-progress.js'

/** The path of Chromium, which is installed if there is none; undefined if that fails. */
export async function chromium() {
  const configuredPath = process.env.CHROMIUM_PATH
  if (configuredPath) {
    if (isExecutable(configuredPath)) return configuredPath
    printProgress(`CHROMIUM_PATH=${configuredPath} is not an executable`)
    return undefined
  }
  const existing = await findChromium()
  if (existing) return existing

  printProgress('no Chromium found')
  await aptInstall('chromium')
  if (!(await findChromium())) {
    printProgress('installing Chromium with Playwright')
    await runTool('playwright', ['install', 'chromium'])
  }
  return findChromium()
}

async function findChromium() {
  const command = findCommand('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
  if (command) return command
  const playwright = await import('@playwright/test')
  const cached = playwright.chromium.executablePath()
  return existsSync(cached) ? cached : undefined
}
