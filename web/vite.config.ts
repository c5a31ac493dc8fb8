import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type ProxyOptions } from 'vite'
import { chunkGroups } from './chunks.ts'
import { contractForBrowsers } from './contract-for-browsers.ts'

const server = process.env.RECADO_SERVER ?? 'http://127.0.0.1:3000'

/**
 * The proxy for development, which uses one origin, too: Vite serves the pages, and all other calls go to the server.
 */
const api: ProxyOptions = {
  target: server,
  bypass: (request) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const ofVite = /^\/(@|src\/|node_modules\/|assets\/|favicon|icon-|apple-touch-icon|badge-|manifest)/.test(path)
    const ofPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
    return ofVite || ofPage ? request.url : undefined
  },
}

export default defineConfig({
  base: '/',
  plugins: [
    react(),
    preloadFont(),
    contractForBrowsers(),
    withoutJsonSchema(),
    serviceWorker(),
    weighModules(),
    precompress(),
  ],
  // React has this hook itself; the shim is for older versions.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  // The server replaces `%NONCE%` with a new nonce in every page it serves.
  html: { cspNonce: '%NONCE%' },
  build: {
    target: 'es2023',
    // Without the polyfill a browser that does not know `modulepreload` uses `preload`.
    modulePreload: { polyfill: false },
    manifest: true,
    assetsDir: 'assets',
    // Inlined files would be data: URLs, which the content policy refuses for fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Every page contains the list of its lazy chunks: readable names would cost each screen 2 kB.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:6][extname]',
        codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups },
      },
    },
  },
  server: {
    proxy: {
      '/socket.io': { target: server, ws: true },
      '/public': server,
      '/docs': server,
      '^/': api,
    },
  },
})

/**
 * The service worker has a fixed name at the root, so that it controls all pages. It caches the code of one build: the
 * names of all files form the name of its cache, which also makes it a new worker.
 */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: 'src/app/worker/sw.ts', fileName: 'sw.js' })
    },
    generateBundle(_, bundle) {
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12)
      const worker = bundle['sw.js']
      if (worker?.type === 'chunk') worker.code = worker.code.replaceAll('__BUILD__', JSON.stringify(build))
    },
  }
}

/** Without a preload the browser finds the font only in the stylesheet; preloading the font avoids a text shift. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => name.endsWith('.woff2'))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}

/**
 * The size of each module in each chunk (a package counts as one), for the size report of a screen (see
 * e2e/script-sizes.ts).
 */
function weighModules(): Plugin {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const nameOf = (id: string) =>
    /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? id.replace(root, '').split('?')[0] ?? id
  return {
    name: 'weigh-modules',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.values(bundle).flatMap((chunk) => {
        if (chunk.type !== 'chunk') return []
        const lengths: Record<string, number> = {}
        for (const [id, { renderedLength }] of Object.entries(chunk.modules))
          lengths[nameOf(id)] = (lengths[nameOf(id)] ?? 0) + renderedLength
        return [[chunk.fileName, lengths]]
      })
      this.emitFile({
        type: 'asset',
        fileName: '.vite/modules.json',
        source: JSON.stringify(Object.fromEntries(files)),
      })
    },
  }
}

/** Compresses once at the highest level instead of at each request: the server sends the compressed files. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir }) {
      const folder = join(dir ?? 'dist', 'assets')
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg|json)$/.test(name)) continue
        const path = join(folder, name)
        const bytes = readFileSync(path)
        const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

/**
 * Every zod type contains code for JSON schema, which only the server's API page uses. Without that code each screen is
 * 5 kB smaller. If zod changes this code, nothing is removed and nothing breaks.
 */
function withoutJsonSchema(): Plugin {
  return {
    name: 'zod-without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler: (code) =>
        code
          .replace(/inst\._zod\.processJSONSchema = [^;]*;/g, '')
          .replace(/createStandardJSONSchemaMethod\(this, "\w+"\)/g, 'undefined')
          .replace('createToJSONSchemaMethod(this, {})(params)', 'undefined'),
    },
  }
}
