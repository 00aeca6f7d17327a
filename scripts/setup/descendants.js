import { spawnSync } from 'node:child_process'

/**
 * The processes that `ancestor` started, those that they started and so on; nothing where there is no ps to ask. Some tools put
 * theirs in groups of their own, so that a group is not enough.
 */
export function descendants(ancestor) {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return stdout ? descendantsIn(stdout, ancestor) : undefined
}

/** Out of lines of "pid ppid". */
export function descendantsIn(lines, ancestor) {
  const pairs = lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const found = [ancestor]
  for (const parent of found) found.push(...pairs.filter(([, ppid]) => ppid === parent).map(([pid]) => pid))
  return found.slice(1)
}
