/**
 * Reads the parts of a Dockerfile that rehearse-image.js needs: of each stage its name, base, COPY and RUN
 * steps in order, environment, user, health check and command.
 */
export function readDockerfile(text) {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean)
  const stages = []
  for (const line of lines) {
    const [, instruction, rest] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    const stage = stages.at(-1)
    if (instruction === 'FROM') stages.push(newStage(rest, stages.length))
    else if (instruction === 'RUN') stage.steps.push({ run: rest })
    else if (instruction === 'COPY') stage.steps.push({ copy: readCopy(rest) })
    else if (instruction === 'ENV')
      for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.environment[name] = value
    else if (instruction === 'USER') stage.user = rest
    else if (instruction === 'CMD') stage.command = JSON.parse(rest)
    else if (instruction === 'HEALTHCHECK') stage.healthcheck = JSON.parse(/CMD\s+(\[.*\])/.exec(rest)[1])
  }
  return stages
}

const newStage = (rest, number) => ({
  name: / AS (\w+)/.exec(rest)?.[1] ?? `stage-${number}`,
  base: rest.split(' ')[0],
  steps: [],
  environment: {},
  user: null,
  command: [],
  healthcheck: [],
})

function readCopy(rest) {
  const words = rest.split(/\s+/)
  const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : null
  return { from, sources: words.slice(0, -1), target: words.at(-1) }
}
