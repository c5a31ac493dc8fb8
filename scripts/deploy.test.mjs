import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** These tests do not execute the deployment files; they check only what can be checked statically. */
const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const settings = new Set([...read('docs/operate.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name))
const start = JSON.parse(read('package.json')).scripts.start
const docker = read('Dockerfile')
const compose = read('deploy/compose.yaml')
const roles = read('deploy/compose.roles.yaml')
const service = read('deploy/recado.service')
const proxies = ['deploy/Caddyfile', 'deploy/nginx.conf'].map(read)

describe('deployment files', () => {
  it('reference only existing settings', () => {
    const recado = compose.slice(compose.indexOf('  recado:'), compose.indexOf('  database:\n    image'))
    const ofCompose = [...recado.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name)
    const ofDocker = [...docker.matchAll(/^ENV (.*)$/gm)]
      .flatMap(([, line]) => line.split(' ').map((one) => one.split('=')[0]))
      .filter((name) => !/^(NODE_|MALLOC_)/.test(name))
    const ofService = [...service.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(ofCompose).toContain('DATABASE_URL')
    for (const name of [...ofCompose, ...ofDocker, ...ofService]) expect(settings).toContain(name)
  })

  it('run every role once, with the same settings', () => {
    const known = /^export const processRoles = \[(.*)\]/m.exec(read('server/src/kernel/config.ts'))?.[1]
    const all = [...known.matchAll(/'(\w+)'/g)].map(([, role]) => role).filter((role) => role !== 'all')
    expect([...roles.matchAll(/^ {6}ROLE: (\w+)$/gm)].map(([, role]) => role).sort()).toEqual(all.sort())
    const settingsOf = (text) =>
      [...text.matchAll(/^ {4,6}([A-Z_]+): (.*)$/gm)].map(([, name, value]) => `${name}=${value}`)
    const shared = settingsOf(roles.slice(roles.indexOf('environment: &settings'), roles.indexOf('services:')))
    const one = settingsOf(compose.slice(compose.indexOf('  recado:'), compose.indexOf('  database:\n    image')))
    expect(shared).toEqual(one)
    expect(settings).toContain('ROLE')
    // All roles without the port share one base definition and its drain timeout.
    for (const name of ['lines', 'jobs']) expect(roles).toMatch(new RegExp(`^  ${name}:\\n    <<: \\*recado$`, 'm'))
    expect(Number(/stop_grace_period: (\d+)s/.exec(roles)?.[1])).toBeGreaterThan(10)
  })

  it('connect to the database with a role without superuser rights, which a script in the database image creates', () => {
    const database = compose.slice(compose.indexOf('  database:\n    image'))
    const login = /DATABASE_URL: postgres:\/\/(\w+):\$\{(\w+):\?\}@/.exec(compose)
    expect(login?.[2]).toBe('DATABASE_PASSWORD')
    expect(roles).toContain(login?.[0])
    // The database superuser keeps its name, and our configuration does not contain its password.
    expect(database).not.toMatch(/POSTGRES_(USER|DB)/)
    expect(compose.slice(0, compose.indexOf('  database:\n    image'))).not.toContain('${POSTGRES_PASSWORD')
    expect(roles).not.toContain('POSTGRES_PASSWORD')
    const [, script] = /- \.\/(\S+):\/docker-entrypoint-initdb\.d\//.exec(database) ?? []
    const made = read(`deploy/${script}`)
    // server/src/kernel/postgres/embedded.test.ts checks the permissions of this role on a real server.
    expect(made).toMatch(new RegExp(`create role ${login?.[1]} login nosuperuser nocreatedb nocreaterole`))
    expect(made).toContain(`create database recado owner ${login?.[1]}`)
    expect(made).toContain('"$DATABASE_PASSWORD"')
  })

  it('keep the passwords of an installation out of the repository and the image', () => {
    for (const name of ['.gitignore', '.dockerignore']) expect(read(name).split('\n')).toContain('deploy/.env')
    const asked = [...`${compose}${roles}`.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name]) => name)
    for (const name of new Set(asked)) expect(compose.slice(0, compose.indexOf('name: recado'))).toContain(name)
  })

  it('start the process as npm start does', () => {
    const [, ...given] = /^CMD \["node", (.*)\]$/m.exec(docker) ?? []
    const line = JSON.parse(`[${given}]`)
    expect(start.endsWith(`exec node ${line.join(' ')}`)).toBe(true)
    expect(existsSync(new URL(`../${line.at(-1)}`, import.meta.url))).toBe(true)
    for (const [, name, value] of start.matchAll(/(MALLOC_\w+)=(\d+)/g)) expect(docker).toContain(`${name}=${value}`)
    expect(docker).toContain('node scripts/prepare.mjs')
  })

  it('give the process time to drain, and let uploads and sockets pass the proxy', () => {
    // docs/operate.md promises that a process drains within ten seconds.
    expect(Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1])).toBeGreaterThan(10)
    expect(Number(/TimeoutStopSec=(\d+)/.exec(service)?.[1])).toBeGreaterThan(10)
    const limit = Number(/`UPLOAD_LIMIT_MB` \| `(\d+)`/.exec(read('docs/operate.md'))?.[1])
    for (const proxy of proxies) {
      expect(Number(/(?:max_size |client_max_body_size )(\d+)/.exec(proxy)?.[1])).toBeGreaterThan(limit)
      expect(proxy).toContain('127.0.0.1:3000')
    }
    expect(proxies[1]).toMatch(/Upgrade \$http_upgrade/)
  })
})
