import { capture } from './children.js'
import { findCommand } from './find-command.js'
import { printProgress } from './print-progress.js'

/** Result of updating the package lists, which is done once. */
let lists

/** Installs Debian packages if that is possible without a password. Returns whether it succeeded. */
export async function aptInstall(...packages) {
  const apt = await aptGet()
  if (!apt) return false
  printProgress(`installing ${packages.join(', ')} with apt-get`)
  lists ??= await capture(apt[0], [...apt.slice(1), 'update', '-q'])
  const install = await capture(apt[0], [
    ...apt.slice(1),
    'install',
    '-y',
    '-q',
    '--no-install-recommends',
    ...packages,
  ])
  if (install.code !== 0) printProgress(`apt-get install failed: ${install.output.split('\n').at(-1)}`)
  return install.code === 0
}

/** The command that runs apt-get as root; undefined without apt-get, or if sudo requires a password. */
async function aptGet() {
  const command = findCommand('apt-get')
  if (!command) return undefined
  const noninteractive = ['env', 'DEBIAN_FRONTEND=noninteractive', command]
  if (process.getuid() === 0) return noninteractive
  if (!findCommand('sudo')) return undefined
  const sudo = await capture('sudo', ['-n', 'true'])
  return sudo.code === 0 ? ['sudo', '-n', ...noninteractive] : undefined
}
