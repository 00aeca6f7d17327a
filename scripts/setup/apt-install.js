import { capture } from './children.js'
import { findCommand } from './find-command.js'
import { say } from './say.js'

let lists

/** Installs Debian's packages where that is possible without asking anybody; tells whether it went well. */
export async function aptInstall(...packages) {
  const apt = await aptGet()
  if (!apt) return false
  say(`installing ${packages.join(', ')} with apt-get`)
  lists ??= await capture(apt[0], [...apt.slice(1), 'update', '-q'])
  const install = await capture(apt[0], [
    ...apt.slice(1),
    'install',
    '-y',
    '-q',
    '--no-install-recommends',
    ...packages,
  ])
  if (install.code !== 0) say(`apt-get install failed: ${install.output.split('\n').at(-1)}`)
  return install.code === 0
}

/** The command that runs apt-get as root, or nothing: sudo counts only if it asks no password. */
async function aptGet() {
  const command = findCommand('apt-get')
  if (!command) return undefined
  const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', command]
  if (process.getuid() === 0) return quiet
  if (!findCommand('sudo')) return undefined
  const sudo = await capture('sudo', ['-n', 'true'])
  return sudo.code === 0 ? ['sudo', '-n', ...quiet] : undefined
}
