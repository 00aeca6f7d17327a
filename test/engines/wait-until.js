/** Waits until `ready` returns true. Throws with the last output if the engine ends or `seconds` have passed. */
export async function waitUntil(ready, engine, seconds) {
  let output = ''
  for (const stream of [engine.stdout, engine.stderr])
    stream.on('data', (data) => (output = `${output}${data}`.slice(-2000)))
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    if (engine.exitCode !== null || engine.signalCode !== null)
      throw new Error(`ended at once: ${lastLine(output)}`)
    if (await ready().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`not ready after ${seconds} s: ${lastLine(output)}`)
}

function lastLine(output) {
  return output.trim().split('\n').at(-1) || 'no output'
}
