// Every process these scripts start is started here, so that none outlives them: not after a failure, not after Ctrl-C.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { descendants } from './descendants.js'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const running = new Set()
const cleanups = []

/** Starts a process in the repository's folder; it is killed with the script unless it ends first. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], ...options })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/** The exit code, as a shell would give it; a command that cannot be started counts as 127. */
export function ended(child) {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

export function stop(child, signal) {
  child.kill(signal)
  return child.exitCode === null && child.signalCode === null ? ended(child) : undefined
}

export function run(command, args, options) {
  return ended(start(command, args, options))
}

/** Output as text; `code` tells whether it went well. */
export async function capture(command, args, options) {
  const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  return { code: await ended(child), output: output.trim() }
}

/** A package's command, run with this very Node rather than the first one in PATH. */
export function runTool(name, args, options) {
  return run(process.execPath, [`node_modules/.bin/${name}`, ...args], options)
}

/** CPU time of all children that have ended, and of theirs, in seconds; null without /proc. */
export function childrenCpuSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
    // cutime and cstime of proc(5), in hundredths of a second.
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return null
  }
}

/** Does `work` when the script ends, in whatever way; it must be synchronous. */
export function atExit(work) {
  cleanups.push(work)
}

process.on('exit', () => {
  for (const pid of everyone()) kill(pid, 'SIGKILL')
  for (const work of cleanups.splice(0).reverse()) {
    try {
      work()
    } catch {
      // the next cleanup matters more than this one's reason
    }
  }
})

/**
 * Does `work` when the script is to end. npm runs scripts in a shell that dies of a signal without passing it on, so that under npm
 * the loss of that shell counts as a signal too.
 */
export function onEnd(work) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => work(signal))
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    work('SIGTERM')
  }, 500).unref()
}

/** The children are asked to end, and so are theirs by them; what has not ended then is killed. */
export async function end(signal) {
  const all = everyone()
  const patience = new Promise((resolve) => setTimeout(resolve, 5000))
  const ends = [...running].map((child) => stop(child, 'SIGTERM'))
  await Promise.race([Promise.all(ends), patience])
  // Some left their children behind, who are nobody's descendants now.
  for (const pid of all) kill(pid, 'SIGKILL')
  process.exit(128 + constants.signals[signal])
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended
  }
}

/** Where there is no ps, the children alone. */
function everyone() {
  return descendants(process.pid) ?? [...running].map((child) => child.pid)
}
