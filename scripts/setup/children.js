// All processes of these scripts are started here, so that none outlives them, neither after a failure nor
// after Ctrl-C.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { descendants } from './descendants.js'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const running = new Set()
const cleanups = []

/** Starts a process in the repository's folder. It is killed when the script ends. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], ...options })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/** Resolves to the exit code as in a shell: 128 plus the number of a signal, 127 if it cannot start. */
export function waitForExit(child) {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

/** Sends a signal, and resolves when the process has ended. */
export function stop(child, signal) {
  child.kill(signal)
  return child.exitCode === null && child.signalCode === null ? waitForExit(child) : undefined
}

export function run(command, args, options) {
  return waitForExit(start(command, args, options))
}

/** Runs a command and returns its exit code and its output (stdout and stderr). */
export async function capture(command, args, options) {
  const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  return { code: await waitForExit(child), output: output.trim() }
}

/** Runs a package's command with the Node of this process, which may not be the first one in PATH. */
export function runTool(name, args, options) {
  return run(process.execPath, [`node_modules/.bin/${name}`, ...args], options)
}

/** Reads the CPU time of all ended children and their children, in seconds; null without /proc. */
export function childrenCpuSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
    // cutime and cstime of proc(5), in hundredths of a second.
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return null
  }
}

/** Registers synchronous work that runs when the script ends for any reason. */
export function atExit(work) {
  cleanups.push(work)
}

process.on('exit', () => {
  for (const pid of listRunningPids()) kill(pid, 'SIGKILL')
  for (const work of cleanups.splice(0).reverse()) {
    try {
      work()
    } catch {
      // The remaining cleanups must run nevertheless.
    }
  }
})

/**
 * Calls `work` with the signal that requests the script to end. npm runs scripts in a shell that dies from a
 * signal without forwarding it; therefore the end of that shell counts as SIGTERM.
 */
export function onTermination(work) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => work(signal))
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    work('SIGTERM')
  }, 500).unref()
}

/** Asks all children to end, kills those that have not after five seconds, and ends this process. */
export async function endAll(signal) {
  const pids = listRunningPids()
  const timeout = new Promise((resolve) => setTimeout(resolve, 5000))
  const exits = [...running].map((child) => stop(child, 'SIGTERM'))
  await Promise.race([Promise.all(exits), timeout])
  // Children of ended children are no longer descendants of this process, so the list from before is used.
  for (const pid of pids) kill(pid, 'SIGKILL')
  process.exit(128 + constants.signals[signal])
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}

/** Lists process ids of the children and their descendants; without `ps`, of the children only. */
function listRunningPids() {
  return descendants(process.pid) ?? [...running].map((child) => child.pid)
}
