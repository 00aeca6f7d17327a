import { spawnSync } from 'node:child_process'

/**
 * Lists ids of all direct and indirect child processes of `ancestor`; undefined without `ps`. The process group
 * would not be enough, because some tools start their children in groups of their own.
 */
export function descendants(ancestor) {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return stdout ? findDescendants(stdout, ancestor) : undefined
}

/** Finds ids of the descendants in lines of "pid ppid". */
export function findDescendants(lines, ancestor) {
  const pairs = lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const pids = [ancestor]
  // The iteration includes the elements that are added meanwhile.
  for (const parent of pids) pids.push(...pairs.filter(([, ppid]) => ppid === parent).map(([pid]) => pid))
  return pids.slice(1)
}
