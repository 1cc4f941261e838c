#include "server/net/site.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace tictactoe::net {
namespace {

TEST(Site, puts_the_files_into_a_directory_that_changes_with_them) {
  const std::string long_text(1000, 'x');
  std::vector<EmbeddedFile> files{{"index.html", "<script src=\"files/page.js\"></script>"},
                                  {"page.js", long_text}};
  const auto path_in = [](const Site& site) {
    const std::string& page = site.find("/")->plain;
    const std::size_t begin = page.find('"') + 1;
    return page.substr(begin, page.find('"', begin) - begin);
  };
  const Site site(files);
  const std::string path = path_in(site);
  const Site::File* script = site.find(path);
  ASSERT_NE(script, nullptr) << path;
  EXPECT_EQ(script->type, "text/javascript; charset=utf-8");
  EXPECT_TRUE(script->is_immutable);
  EXPECT_EQ(script->plain, long_text);
  EXPECT_LT(script->gzip.size(), 100u);
  EXPECT_FALSE(site.find("/")->is_immutable);
  EXPECT_EQ(site.find("/page.js"), nullptr);
  EXPECT_EQ(site.find("/index.html"), nullptr);
  files[1].bytes = "other";
  EXPECT_NE(path_in(Site(files)), path);
}

TEST(Site, has_an_index_among_the_embedded_files) {
  const Site site(embedded_files());
  ASSERT_NE(site.find("/"), nullptr);
  EXPECT_THAT(site.find("/")->plain, ::testing::StartsWith("<!doctype html>"));
}

TEST(Site, names_every_module_in_the_page) {
  const Site site(embedded_files());
  const std::string& page = site.find("/")->plain;
  const std::string link = "<link rel=\"modulepreload\" href=\"/";
  std::size_t links = 0;
  for (std::size_t at = 0; (at = page.find(link, at)) != std::string::npos; ++at) ++links;
  std::size_t modules = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.name.ends_with(".js")) continue;
    ++modules;
    EXPECT_THAT(page, ::testing::HasSubstr("/" + std::string(file.name) + "\">")) << file.name;
  }
  EXPECT_GT(modules, 10U);
  EXPECT_EQ(links, modules);
}

}  // namespace
}  // namespace tictactoe::net
