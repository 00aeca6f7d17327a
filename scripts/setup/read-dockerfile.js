/**
 * The stages of a Dockerfile with what rehearse-image.js needs of them: name, COPY and RUN steps in order, and of the last one
 * environment, health check and command.
 */
export function readDockerfile(text) {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean)
  const stages = []
  for (const line of lines) {
    const [, word, rest] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    const stage = stages.at(-1)
    if (word === 'FROM') stages.push(newStage(rest, stages.length))
    else if (word === 'RUN') stage.steps.push({ run: rest })
    else if (word === 'COPY') stage.steps.push({ copy: readCopy(rest) })
    else if (word === 'ENV')
      for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.environment[name] = value
    else if (word === 'USER') stage.user = rest
    else if (word === 'CMD') stage.command = JSON.parse(rest)
    else if (word === 'HEALTHCHECK') stage.healthcheck = JSON.parse(/CMD\s+(\[.*\])/.exec(rest)[1])
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
