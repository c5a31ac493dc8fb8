import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Chunk = { file: string; src?: string; imports?: string[]; dynamicImports?: string[]; isEntry?: boolean }
type Manifest = Record<string, Chunk>
export type Sizes = { login: number; screens: Record<string, number> }

/** Gzipped JavaScript in bytes: all that the login page loads, and what each screen behind it loads on top. */
export function measure(dist = fileURLToPath(new URL('dist/', import.meta.url))): Sizes {
  const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8')) as Manifest
  const size = (keys: Iterable<string>) => {
    const files = new Set([...keys].map((key) => manifest[key]?.file).filter((file) => file?.endsWith('.js')))
    return [...files].reduce((sum, file) => sum + statSync(`${dist}${file}.gz`).size, 0)
  }
  const login = closure(manifest, ['index.html', 'src/features/login/login-page.tsx'])
  // Every screen stands in the shell, and the shell opens the socket.
  const shell = [
    'src/app/shell/shell.tsx',
    ...Object.keys(manifest).filter((key) => key.includes('/socket.io-client/')),
  ]
  const pages = Object.keys(manifest).filter((key) => /-page\.tsx$/.test(key) && !key.includes('/login/'))
  const screens = pages.map((page) => {
    const inside = /\/(signup|forgot-password)\//.test(page) ? [page] : [...shell, page]
    const extra = [...closure(manifest, inside)].filter((key) => !login.has(key))
    return [page.replace(/^.*\/|-page\.tsx$/g, ''), size(extra)]
  })
  return { login: size(login), screens: Object.fromEntries(screens) }
}

/** A chunk and everything it cannot start without. */
function closure(manifest: Manifest, keys: string[], seen = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (seen.has(key) || !manifest[key]) continue
    seen.add(key)
    closure(manifest, manifest[key].imports ?? [], seen)
  }
  return seen
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { login, screens } = measure(process.argv[2])
  const line = (name: string, bytes: number) => console.log(name.padEnd(24), `${(bytes / 1000).toFixed(1)} kB`)
  line('login', login)
  for (const [name, bytes] of Object.entries(screens)) line(`+ ${name}`, bytes)
}
