terraform { #= terraform
  required_version = ">= 1"
}
resource "aws_instance" "web" { #= resource "aws_instance" "web"
  user_data = <<-EOT
    resource "no" "no" {
  EOT
  tags = { a = "${var.x["}"]}" }
}
locals { a = 1 } #= locals
variable "x" {} #= variable "x"
# resource "c" "d" {}
/* module "no" {} */
region = "eu" #= key region
list = [ #= key list
  { a = 1 },
]
module "m" { #= module "m"
  source = "./x"
}
