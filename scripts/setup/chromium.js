import { existsSync } from 'node:fs'
import { aptInstall } from './apt-install.js'
import { runTool } from './children.js'
import { findCommand, isExecutable } from './find-command.js'
import { say } from './say.js'

/** The path of a Chromium, installed if there is none; nothing when none can be had. */
export async function chromium() {
  const set = process.env.CHROMIUM_PATH
  if (set) {
    if (isExecutable(set)) return set
    say(`CHROMIUM_PATH=${set} is no program`)
    return undefined
  }
  const found = await findChromium()
  if (found) return found

  say('no Chromium found')
  await aptInstall('chromium')
  if (!(await findChromium())) {
    say('installing Chromium with Playwright')
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
